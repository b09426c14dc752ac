import { enableCompileCache, getCompileCacheDir } from 'node:module';

// Each test file, and each app that a test starts, is a process of its own. They share compiled code through this cache.
enableCompileCache();
process.env.NODE_COMPILE_CACHE ??= getCompileCacheDir();
