import { enableCompileCache } from 'node:module';

// Each test file is a process of its own: what one has compiled, the others need not compile again.
enableCompileCache();
