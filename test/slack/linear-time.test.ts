import { describe, it } from 'node:test';
import { assertLinear } from '../support/assert-linear.ts';
import { parsers } from './parsers.ts';

describe('parsing of hostile input from Slack', () => {
  const module = new URL('parsers.ts', import.meta.url);
  for (const name of Object.keys(parsers)) {
    it(`takes linear time: ${name}`, () => assertLinear(module, name));
  }
});
