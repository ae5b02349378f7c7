// The rules of axe-core (WCAG 2.2 A and AA, and good practice), on the page as it is.

import { readFileSync } from "node:fs";

const axe = readFileSync(process.env.CIPHERLOOM_AXE, "utf8");

export async function accessibility(tab, what) {
  // By the debugger: the page's own policy lets no other script in.
  await tab.value(`${axe}; 0`);
  const { violations, passes } = await tab.value(`axe.run(document).then(({ violations, passes }) => ({
    violations: violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")),
    passes: passes.length,
  }))`);
  if (violations.length > 0) throw new Error(`${what}: ${violations.join("\n")}`);
  if (passes < 15) throw new Error(`${what}: only ${passes} rules had anything to look at`);
}
