/* What programs made by Rust need, and Wine has from version 9 on: random numbers for the process.
 * In Windows 10 it is a part of bcryptprimitives.dll. Only tests by `cargo xtask windows` load this. */
#include <windows.h>

/* RtlGenRandom of advapi32, which Wine takes from /dev/urandom. */
BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG len);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T len)
{
    const ULONG most = 1 << 20;
    while (len > 0) {
        ULONG piece = len < most ? (ULONG)len : most;
        if (!SystemFunction036(data, piece))
            return FALSE;
        data += piece;
        len -= piece;
    }
    return TRUE;
}
