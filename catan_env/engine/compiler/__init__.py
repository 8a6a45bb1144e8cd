"""All of this project's code that touches Numba or LLVM internals.

=================  ===================================================================================
`jit`              compiles rules and kernels, and sets the Numba options
`patches`          the tested Numba versions, and the switch that turns patches off
`disk_cache`       cache of compiled functions that tolerates missing, corrupt and read-only files
`progress`         progress line in the terminal or notebook while the user waits for the compiler
`parts`            saved code of single rules, shared by kernels and processes
`content`          digests of rules, which name the parts
`part_files`       files of saved parts, next to the cache of compiled functions
`turns`            turns, by which several processes compile each kernel only once
`layouts`          records whose layout the linker fills in, so that scenarios share compiled rules
`pipeline`         patch: run only the compiler passes that rules need
`linker`           patch: optimize a kernel once, as one program
`typing_cache`     patch: resolve each type only once
`arguments`        patch: compile each rule once for integers of all sizes
`bits`             intrinsics: scan byte arrays in blocks
`entries`          iteration over the entries of byte arrays that pass tests
`marks`            intrinsics: sets of actions, one bit per action
`flags`            intrinsic: write one flag per entry of a byte array, for encoders
`record_bytes`     intrinsics: hash, compare and copy selected bytes of records
`rows`             intrinsics: sums, comparisons and digests of rows, for value networks
`prefetch`         intrinsic: request memory before it is needed
`cache_lines`      intrinsics: write rows of floats past the cache
=================  ===================================================================================

A patch replaces a private part of Numba while a kernel compiles. With untested Numba versions, all patches are
disabled: kernels compile like any other function and play the same games, but more slowly. Setting the environment
variable `CATAN_ENV_NUMBA_PATCHES=0` disables the patches for every version.
"""
