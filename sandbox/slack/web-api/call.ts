import type { JsonObject } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import type { SlackState } from '../slack.ts';
import type { Arguments } from './arguments.ts';
import type { Method, Methods } from './method.ts';
import { auth } from './methods/auth.ts';
import { chat } from './methods/chat.ts';
import { conversations } from './methods/conversations.ts';
import { files } from './methods/files.ts';
import { users } from './methods/users.ts';
import { views } from './methods/views.ts';

export interface KnownTokens {
  botToken: string;
  appToken: string | undefined;
}

/**
 * Calls a Web API method and returns the body of the answer, which always has `ok`. `more` are the methods of the
 * transport.
 */
export function callMethod(
  slack: SlackState,
  tokens: KnownTokens,
  more: Methods,
  call: { method: string; token: string | undefined; args: Arguments },
): JsonObject {
  try {
    const methods: Methods = { ...auth, ...chat, ...conversations, ...files, ...users, ...views, ...more };
    const method = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined;
    if (!method) {
      throw new ApiError('unknown_method', [], { req_method: call.method });
    }
    checkToken(method, tokens, call.token);
    checkScopes(method, slack.manifest.scopes);
    return { ok: true, ...method.run(slack, call.args) };
  } catch (error) {
    if (error instanceof ApiError) {
      return error.toAnswer();
    }
    throw error;
  }
}

function checkToken(method: Method, tokens: KnownTokens, token: string | undefined): void {
  if (method.token === 'none') {
    return;
  }
  if (token === undefined) {
    throw new ApiError('not_authed');
  }
  if (token !== tokens.botToken && token !== tokens.appToken) {
    throw new ApiError('invalid_auth');
  }
  const expected = method.token === 'app' ? tokens.appToken : tokens.botToken;
  if (token !== expected) {
    throw new ApiError('not_allowed_token_type');
  }
}

function checkScopes(method: Method, provided: string[]): void {
  if (!method.scopes || method.scopes.some((scope) => provided.includes(scope))) {
    return;
  }
  throw new ApiError('missing_scope', [], {
    needed: method.scopes.join(','),
    provided: provided.join(','),
  });
}
