import fc from 'fast-check';
import { everySeed, rounds } from './sizes.ts';

// `rounds` overrides this number for a single property.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: everySeed, numRuns: rounds(100) });
