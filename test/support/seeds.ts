import fc from 'fast-check';
import { everySeed, rounds } from './sizes.ts';

// `rounds` is for a property that asks for another number of rounds than this.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: everySeed, numRuns: rounds(100) });
