import { enableCompileCache, getCompileCacheDir } from 'node:module';

// Each test file is a process of its own, and so is each app that a test starts: what one has compiled, the others need
// not compile again.
enableCompileCache();
process.env.NODE_COMPILE_CACHE ??= getCompileCacheDir();
