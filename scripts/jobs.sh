# To be sourced. Sets JOBS: the number of compilers to run in parallel.
JOBS=${JOBS:-$( (nproc || sysctl -n hw.ncpu || echo 2) 2>/dev/null | head -n 1)}
