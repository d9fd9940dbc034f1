// Go's assembler has no names for these two of NEON: d = n + m and d = n·m, in two
// lanes of float64, each rounded by itself.
#define VFADD(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))
#define VFMUL(m, n, d) WORD $(0x6E60DC00 | (m)<<16 | (n)<<5 | (d))
