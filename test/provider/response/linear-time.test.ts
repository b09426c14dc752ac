import { describe, it } from 'node:test';
import { assertLinear } from '../../support/assert-linear.ts';
import { parsers } from './parsers.ts';

describe('parsers of the provider’s responses', () => {
  const module = new URL('parsers.ts', import.meta.url);
  for (const name of Object.keys(parsers)) {
    it(`run in linear time: ${name}`, () => assertLinear(module, name));
  }
});
