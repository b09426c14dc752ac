import { afterEach, beforeEach } from 'node:test';
import { chargeCpu } from './cpu-times.ts';

// The first file of each process, so that this is called for the tests of all others. The events of the runner come too late:
// those of tests that wait for nothing arrive together, once one waits.
beforeEach(({ filePath }) => chargeCpu(filePath));
afterEach(({ filePath }) => chargeCpu(filePath));
