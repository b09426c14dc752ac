import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { countBuiltins } from './counted-builtins.ts';
import { countPatterns } from './counted-patterns.ts';
import { countSources } from './counted-sources.ts';
import { findSteepText } from './growth.ts';

/**
 * Finds the texts for which a parser takes more than linear time, by counting its steps. In a thread of its own, because all
 * that counts stays in place: the sources are loaded with counters in them, and JavaScript's own functions are replaced.
 */
const parserSchema = z.custom<(text: string) => unknown>((value) => typeof value === 'function');
const moduleSchema = z.object({
  parsers: z.record(z.string(), parserSchema),
  /** What else is repeated for these parsers. */
  pieces: z.array(z.string()).default([]),
});
const taskSchema = z.object({
  module: z.string(),
  name: z.string(),
  length: z.number(),
  evils: z.array(z.object({ prefix: z.string(), pump: z.string(), suffix: z.string() })),
});

countSources();
countBuiltins();
countPatterns();

parentPort?.on('message', async (message) => {
  const { module, name, evils, length } = taskSchema.parse(message);
  try {
    const { parsers, pieces } = moduleSchema.parse(await import(module));
    const parse = parsers[name] ?? assert.fail(`There is no parser ${name}`);
    const own = pieces.map((pump) => ({ prefix: '', pump, suffix: '' }));
    parentPort?.postMessage({ steep: await findSteepText(parse, [...evils, ...own], length) });
  } catch (error) {
    parentPort?.postMessage({ error: inspect(error) });
  }
});
