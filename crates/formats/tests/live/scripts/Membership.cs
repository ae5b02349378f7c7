// What Mono's membership provider stores with passwordFormat="Encrypted". Questions as Classes.cs has them; the
// secret is the machine's decryption key, and the last 16 bytes of the salt are the user's.
using System;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Web.Configuration;

static class Membership {
    const int Salt = 16;

    // MembershipProvider.EncryptPassword and DecryptPassword call these with the section of web.config.
    static readonly Type Utils = typeof(MachineKeySection).Assembly.GetType("System.Web.Util.MachineKeySectionUtils", true);

    static void Main() {
        for (string line; (line = Console.ReadLine()) != null;) {
            var words = line.Split(' ');
            var rest = words.Skip(3).Select(Bytes).ToArray();
            var section = new MachineKeySection { Decryption = words[1], DecryptionKey = words[2].ToUpper() };
            byte[] answer;
            if (words[0] == "encrypt") {
                var salted = rest[0].Skip(rest[0].Length - Salt).Concat(rest[1]).ToArray();
                answer = Encoding.ASCII.GetBytes(Convert.ToBase64String(Call("Encrypt", section, salted)));
            } else {
                var value = Convert.FromBase64String(Encoding.ASCII.GetString(rest[1]));
                answer = Call("Decrypt", section, value).Skip(Salt).ToArray();
            }
            Console.WriteLine(string.Concat(answer.Select(b => b.ToString("x2"))));
        }
    }

    static byte[] Call(string what, MachineKeySection section, byte[] bytes) {
        var types = new[] { typeof(MachineKeySection), typeof(byte[]) };
        var flags = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;
        return (byte[]) Utils.GetMethod(what, flags, null, types, null).Invoke(null, new object[] { section, bytes });
    }

    static byte[] Bytes(string digits) {
        return Enumerable.Range(0, digits.Length / 2).Select(i => Convert.ToByte(digits.Substring(2 * i, 2), 16)).ToArray();
    }
}
