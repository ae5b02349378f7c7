import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Scanner;
import javax.script.ScriptEngine;
import javax.script.ScriptEngineManager;

/** Questions on standard input: direction, algorithm, key, nothing, text, in hex behind the first two. */
class Lucee {
    public static void main(String[] arguments) throws Exception {
        // It prints on standard output that it starts.
        var answers = System.out;
        System.setOut(System.err);
        ScriptEngine engine = new ScriptEngineManager().getEngineByName("CFML");
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ", -1);
            byte[] key = HexFormat.of().parseHex(words[2]);
            // Its default takes a password, all others a key in base64.
            engine.put("secret", words[1].equals("CFMX_COMPAT")
                ? new String(key, StandardCharsets.UTF_8)
                : Base64.getEncoder().encodeToString(key));
            engine.put("value", new String(HexFormat.of().parseHex(words[4]), StandardCharsets.UTF_8));
            engine.put("algorithm", words[1]);
            Object answer = engine.eval(words[0] + "(value, secret, algorithm, 'UU')");
            answers.println(HexFormat.of().formatHex(answer.toString().getBytes(StandardCharsets.UTF_8)));
        }
        // Its own threads would go on.
        System.exit(0);
    }
}
