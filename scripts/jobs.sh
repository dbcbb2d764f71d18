# Sourced: JOBS, how many compilers to run beside each other.
JOBS=${JOBS:-$( (nproc || sysctl -n hw.ncpu || echo 2) 2>/dev/null | head -n 1)}
