import { writeFileSync } from 'node:fs';
import { showScreens } from './support/texts/shown-screens.ts';
import { textLines } from './support/texts/text-lines.ts';

/** `npm run texts`: writes every text of the product to one file, to be read as a whole. */
const output = 'texts.md';

const endings: (() => void | Promise<void>)[] = [];
const { screens } = await showScreens({ after: (end) => void endings.push(end) }, 4);
for (const end of endings) {
  await end();
}
// Enough draws to meet every state of a screen.
const lines = textLines(screens, 60);
writeFileSync(output, `${lines.join('\n')}\n`);
console.log(`${lines.length} lines in ${output}`);
// The harness loads `node:test`, which would go on to report that there were no tests.
process.exit();
