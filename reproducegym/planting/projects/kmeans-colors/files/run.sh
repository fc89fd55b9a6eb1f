#!/bin/sh
set -e
export PYTHONHASHSEED=0
export OPENBLAS_NUM_THREADS=1
python quantize.py "$@"
