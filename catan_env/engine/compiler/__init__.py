"""All code of this project that touches internals of Numba and LLVM.

=================  ===================================================================================
`jit`              compiles rules and kernels, with options for Numba
`patches`          tested versions of Numba, and the switch that turns patches off
`disk_cache`       cache of compiled functions, robust against missing, damaged and read-only files
`pipeline`         patch: run only the compiler passes that rules need
`linker`           patch: optimize a kernel once, as one program
`typing_cache`     patch: resolve types once
`arguments`        patch: compile a rule once for integers of all sizes
`bits`             intrinsics: scan byte arrays in blocks
`record_bytes`     intrinsics: hash, compare and copy views of records
`rows`             intrinsic: weighted sum of rows, for value networks
`prefetch`         intrinsic: request memory ahead of its use
=================  ===================================================================================

A patch replaces a private part of Numba while a kernel compiles. With untested versions of Numba, all patches are
inactive: kernels compile like any other function and play the same games, but more slowly. The environment variable
`CATAN_ENV_NUMBA_PATCHES=0` turns the patches off with every version.
"""
