import { basename } from 'node:path';
import { run } from './run.ts';

// `npm start`: `main.ts`, or `main.mjs` of the bundle.
await run({ program: basename(import.meta.filename) });
