import { writeFileSync } from 'node:fs';
import { textLines } from './support/texts/text-lines.ts';

/** `npm run texts`: writes every text of the product to one file, to be read as a whole. */
const output = 'texts.md';

/** Enough to meet every state of a screen. */
const lines = textLines(60);
writeFileSync(output, `${lines.join('\n')}\n`);
console.log(`${lines.length} lines in ${output}`);
