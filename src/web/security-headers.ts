import type { IncomingMessage } from 'node:http';

/** The `Content-Security-Policy` of all answers. A page adds the hash of its style, and whether it has a form. */
export function contentSecurityPolicy(
  styleHash?: string | undefined,
  { hasForm = false }: { hasForm?: boolean } = {},
): string {
  const sources = styleHash === undefined ? [] : [`style-src ${styleHash}`, "img-src 'self'"];
  return [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

const always = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // A page that holds nothing of anybody allows more.
  'cache-control': 'no-store',
};

const overHttps = { ...always, 'strict-transport-security': 'max-age=31536000' };

/**
 * Returns the headers of every answer. The program itself speaks HTTP: that a request came by https is what the proxy
 * before it says. A false claim is harmless: browsers ignore the header on an answer over http.
 */
export function securityHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  const forwarded = request.headers['x-forwarded-proto'];
  const protocol = Array.isArray(forwarded) ? forwarded[0] : forwarded;
  return protocol?.split(',', 1)[0]?.trim() === 'https' ? overHttps : always;
}
