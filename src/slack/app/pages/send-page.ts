import type { ServerResponse } from 'node:http';
import { contentSecurityPolicy } from '../http/security-headers.ts';
import { styleHash } from './style.ts';

const policy = contentSecurityPolicy(styleHash);
const policyWithForm = contentSecurityPolicy(styleHash, { hasForm: true });

/** Answers with a page; one with a form says so, or the browser does not send it. It is stored nowhere unless `cacheSeconds` says so: only a page that is the same for everyone may be. */
export function sendPage(
  response: ServerResponse,
  status: number,
  text: string,
  options: { cacheSeconds?: number | undefined; hasForm?: boolean | undefined } = {},
): void {
  const { cacheSeconds, hasForm = false } = options;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'content-security-policy': hasForm ? policyWithForm : policy,
    ...(cacheSeconds === undefined ? {} : { 'cache-control': `public, max-age=${cacheSeconds}` }),
  });
  response.end(text);
}
