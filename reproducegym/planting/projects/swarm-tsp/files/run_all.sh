#!/bin/sh
export PYTHONHASHSEED=0 OMP_NUM_THREADS=1
for islands in 1 2 4; do
    python tour.py --islands $islands --seed 21
done
