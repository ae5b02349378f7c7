import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Scanner;
import org.jasypt.encryption.pbe.StandardPBEStringEncryptor;

/** Questions on standard input: direction, algorithm, password, nothing, text, in hex behind the first two. */
class Jasypt {
    public static void main(String[] arguments) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ", -1);
            StandardPBEStringEncryptor encryptor = new StandardPBEStringEncryptor();
            encryptor.setAlgorithm(words[1]);
            encryptor.setPassword(text(words[2]));
            String answer = words[0].equals("encrypt")
                ? encryptor.encrypt(text(words[4]))
                : encryptor.decrypt(text(words[4]));
            System.out.println(HexFormat.of().formatHex(answer.getBytes(StandardCharsets.UTF_8)));
        }
    }

    static String text(String digits) {
        return new String(HexFormat.of().parseHex(digits), StandardCharsets.UTF_8);
    }
}
