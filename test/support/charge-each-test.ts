import { afterEach, beforeEach } from 'node:test';
import { chargeCpu } from './cpu-times.ts';

// The first file of each process, so that this runs for the tests of all others. The runner's own events come
// too late: those of tests that never wait arrive together.
beforeEach(({ filePath }) => chargeCpu(filePath));
afterEach(({ filePath }) => chargeCpu(filePath));
