import type { ServerResponse } from 'node:http';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { styleHash } from './style.ts';

const policy = contentSecurityPolicy(styleHash);

/** Answers with a page. It is stored nowhere unless `cacheSeconds` says so: only a page that is the same for everyone may be. */
export function sendPage(
  response: ServerResponse,
  status: number,
  text: string,
  options: { cacheSeconds?: number | undefined } = {},
): void {
  const { cacheSeconds } = options;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'content-security-policy': policy,
    ...(cacheSeconds === undefined ? {} : { 'cache-control': `public, max-age=${cacheSeconds}` }),
  });
  response.end(text);
}
