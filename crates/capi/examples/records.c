/* A column of records, each with its own Triple-DES key and IV, decrypted in one call: the keys
 * fill the lanes of bit-sliced kernels. */
#include <cipherloom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 1000
#define ROOM 32

int main(void)
{
    static unsigned char keys[COUNT][24], ivs[COUNT][8], data[COUNT][ROOM];
    static cl_record records[COUNT];
    const cl_batch batch = {CL_TDES_EDE3, CL_CBC, CL_PKCS7, CL_FASTEST, NULL};

    for (int n = 0; n < COUNT; n++) {
        for (int i = 0; i < 24; i++) keys[n][i] = (unsigned char)(n * 31 + i * 7 + (n >> 5));
        for (int i = 0; i < 8; i++) ivs[n][i] = (unsigned char)(n + i);
        snprintf((char *)data[n], ROOM, "account %d", n);
        cl_record record = {keys[n], 24, ivs[n], 8, data[n], strlen((char *)data[n]), ROOM, 0, 0};
        records[n] = record;
    }
    int error = cl_batch_encrypt(&batch, records, COUNT);
    for (int n = 0; n < COUNT; n++) records[n].len = records[n].result_len;

    /* Two of them arrive damaged. An error of one record does not touch the others. */
    records[5].len = 7;
    records[7].key_len = 23;
    if (!error) error = cl_batch_decrypt(&batch, records, COUNT);
    if (error) {
        fprintf(stderr, "batch: %s\n", cl_error_text(error));
        return 1;
    }

    int right = 0;
    for (int n = 0; n < COUNT; n++) {
        char text[ROOM];
        snprintf(text, sizeof text, "account %d", n);
        if (records[n].error)
            printf("record %d: %s\n", n, cl_error_text(records[n].error));
        else
            right += records[n].result_len == strlen(text) && !memcmp(data[n], text, strlen(text));
    }
    printf("%d records are right\n", right);
    return 0;
}
