/* RC4 for a protocol that drops the first bytes of the keystream:
 *
 *   stream KEY DROP < in > out        KEY: text, DROP: a number of bytes
 */
#include <cipherloom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static unsigned char data[65536];
    if (argc != 3) {
        fputs("usage: stream KEY DROP < in > out\n", stderr);
        return 2;
    }
    cl_rc4 *stream;
    int error = cl_rc4_new(&stream, argv[1], strlen(argv[1]), CL_FASTEST);
    if (!error) error = cl_rc4_skip(stream, strtoul(argv[2], NULL, 10));
    size_t len;
    while (!error && (len = fread(data, 1, sizeof data, stdin)) > 0) {
        error = cl_rc4_apply(stream, data, len, data);
        if (!error) fwrite(data, 1, len, stdout);
    }
    cl_rc4_free(stream);
    if (error) fprintf(stderr, "stream: %s\n", cl_error_text(error));
    return error != CL_OK;
}
