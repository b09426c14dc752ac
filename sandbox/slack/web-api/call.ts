import type { JsonObject } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import type { Installation } from '../installations/installations.ts';
import { reachOf, type Slack } from '../slack.ts';
import type { Arguments } from './arguments.ts';
import { calledIn } from './called-in.ts';
import { isAppMethod, type Method, type Methods } from './method.ts';
import { apps } from './methods/apps.ts';
import { auth } from './methods/auth.ts';
import { chat } from './methods/chat.ts';
import { conversations } from './methods/conversations.ts';
import { files } from './methods/files.ts';
import { oauth } from './methods/oauth.ts';
import { usergroups } from './methods/usergroups.ts';
import { users } from './methods/users.ts';
import { views } from './methods/views.ts';
import { missingScope } from './missing-scope.ts';

const ownMethods: Methods = {
  ...apps,
  ...auth,
  ...chat,
  ...conversations,
  ...files,
  ...oauth,
  ...usergroups,
  ...users,
  ...views,
};

interface Call {
  method: string;
  token: string | undefined;
  args: Arguments;
}

/**
 * Calls a Web API method and returns the body of the answer, which always has `ok`. `more` are the methods of the
 * transport.
 */
export function callMethod(
  slack: Slack,
  appToken: string | undefined,
  more: Methods,
  call: Call,
): JsonObject {
  try {
    const methods: Methods = { ...ownMethods, ...more };
    const method = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined;
    if (!method) {
      throw new ApiError('unknown_method', [], { req_method: call.method });
    }
    return { ok: true, ...run(slack, appToken, method, call) };
  } catch (error) {
    if (error instanceof ApiError) {
      return error.toAnswer();
    }
    throw error;
  }
}

function run(slack: Slack, appToken: string | undefined, method: Method, { token, args }: Call): JsonObject {
  if (isAppMethod(method) && method.token === 'none') {
    return method.run(slack, args);
  }
  if (token === undefined) {
    throw new ApiError('not_authed');
  }
  const installation = token === appToken ? undefined : slack.installations.ofToken(token);
  if (isAppMethod(method)) {
    if (installation) {
      throw new ApiError('not_allowed_token_type');
    }
    return method.run(slack, args);
  }
  if (!installation) {
    throw new ApiError('not_allowed_token_type');
  }
  checkScopes(method.scopes, installation);
  const workspace = calledIn(reachOf(slack, installation), installation, args);
  return method.run({ ...workspace, installation, slack }, args);
}

function checkScopes(needed: string[] | undefined, { scopes: provided }: Installation): void {
  if (needed && !needed.some((scope) => provided.includes(scope))) {
    throw missingScope(needed, provided);
  }
}
