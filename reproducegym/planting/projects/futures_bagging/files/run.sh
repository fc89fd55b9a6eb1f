#!/bin/sh
PYTHONHASHSEED=0 OMP_NUM_THREADS=1 exec python bag.py --jobs 2 "$@"
