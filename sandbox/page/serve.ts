import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Answers a request for the page. Returns false for any other request. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The page loads nothing from other machines, whatever a message contains. */
const policy = [
  "default-src 'self'",
  "img-src 'self' data: http://127.0.0.1:* http://localhost:*",
  "style-src 'self' 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Bundles the page and returns a handler that serves it from memory: `/`, `/page.js`, `/page.css`. */
export async function bundlePage(): Promise<PageHandler> {
  const [html, bundle] = await Promise.all([readFile(here('index.html')), bundleSources()]);
  const files = new Map([
    ['/', { type: 'text/html; charset=utf-8', body: html }],
    ['/page.js', { type: 'text/javascript; charset=utf-8', body: bundle.script }],
    ['/page.css', { type: 'text/css; charset=utf-8', body: bundle.styles }],
  ]);
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = files.get(pathname);
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) {
      return false;
    }
    response.writeHead(200, {
      'content-type': file.type,
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    });
    response.end(file.body);
    return true;
  };
}

async function bundleSources(): Promise<{ script: Uint8Array; styles: Uint8Array }> {
  const { outputFiles } = await build({
    entryPoints: { page: here('main.ts'), styles: here('styles/page.css') },
    outdir: 'out',
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  const [script, styles] = ['.js', '.css'].map(
    (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.contents,
  );
  if (!script || !styles) {
    throw new Error('The page’s bundle is incomplete.');
  }
  return { script, styles };
}
