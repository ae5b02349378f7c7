// Questions on standard input: direction, what, secret, salt, text, in hex behind the first two.
using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

static class Classes {
    static void Main() {
        for (string line; (line = Console.ReadLine()) != null;) {
            var words = line.Split(' ');
            var rest = words.Skip(2).Select(Bytes).ToArray();
            var cipher = Cipher(words[1], rest[0], rest[1]);
            var encrypts = words[0] == "encrypt";
            var transform = encrypts ? cipher.CreateEncryptor() : cipher.CreateDecryptor();
            // Values are base64 in all these programs.
            var text = encrypts ? rest[2] : Convert.FromBase64String(Encoding.ASCII.GetString(rest[2]));
            var answer = transform.TransformFinalBlock(text, 0, text.Length);
            if (encrypts) answer = Encoding.ASCII.GetBytes(Convert.ToBase64String(answer));
            Console.WriteLine(string.Concat(answer.Select(b => b.ToString("x2"))));
        }
    }

    static SymmetricAlgorithm Cipher(string what, byte[] secret, byte[] salt) {
        SymmetricAlgorithm cipher = what.EndsWith("/des") ? DES.Create() : (SymmetricAlgorithm) TripleDES.Create();
        if (what.StartsWith("md5/")) {
            cipher.Key = MD5.Create().ComputeHash(secret);
            cipher.Mode = what == "md5/ecb" ? CipherMode.ECB : CipherMode.CBC;
            cipher.IV = new byte[8];
        } else if (what.StartsWith("password/")) {
            var derived = new PasswordDeriveBytes(Encoding.UTF8.GetString(secret), salt);
            cipher.Key = derived.GetBytes(what == "password/des" ? 8 : what == "password/2" ? 16 : 24);
            cipher.IV = derived.GetBytes(8);
        } else {
            // nopCommerce and GrandNode: parts of the key.
            var nop = what == "nopcommerce";
            cipher.Key = secret.Take(nop ? 16 : 24).ToArray();
            cipher.IV = secret.Skip(nop ? 8 : 16).Take(8).ToArray();
        }
        return cipher;
    }

    static byte[] Bytes(string digits) {
        return Enumerable.Range(0, digits.Length / 2).Select(i => Convert.ToByte(digits.Substring(2 * i, 2), 16)).ToArray();
    }
}
