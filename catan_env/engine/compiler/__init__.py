"""All that the project knows of Numba and LLVM beneath their public face, in one package.

=================  ===================================================================================
`jit`              what compiles a rule and a kernel, and with which options
`patches`          for which versions of Numba its private parts are replaced, and the switch
`disk_cache`       compiled functions on disk, where files are missing, damaged or cannot be written
`pipeline`         patch: only the compiler passes that rules need
`linker`           patch: a kernel is optimised once, as one program
`typing_cache`     patch: types are resolved once
`bits`             intrinsics: sets of entries of an array of bytes
`record_bytes`     intrinsics: hash, compare and copy a part of a record
`rows`             intrinsic: a weighted sum of rows, for value networks
`prefetch`         intrinsic: request memory ahead of its use
=================  ===================================================================================

A patch replaces a private part of Numba while a kernel compiles. With a version of Numba that the patches do not know,
all of them step aside: kernels compile as Numba compiles any function, to the same games, only slower. The environment
variable `CATAN_ENV_NUMBA_PATCHES=0` turns them off with every version.
"""
