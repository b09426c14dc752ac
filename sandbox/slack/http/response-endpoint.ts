import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../lib/json.ts';
import { isJsonObject, parseJsonText } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import type { SlackRequestLog } from '../request-log.ts';
import type { Slack } from '../slack.ts';
import { readRequestBody, respondJson } from './messages.ts';

/** Handles a `POST` to a response_url. Answers `ok`, or an error with its status. */
export async function handleResponseUrl(
  slack: Slack,
  requestLog: SlackRequestLog,
  { team, token }: { team: string; token: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAt = performance.now();
  const body = parseJsonText((await readRequestBody(request)).toString('utf8')) ?? null;
  const { status, answer } = use(slack, team, token, body);
  requestLog.record({
    at: slack.now().toISOString(),
    from: 'app',
    to: 'slack',
    what: 'response_url',
    place: team,
    request: body,
    status,
    answer,
    milliseconds: Math.round(performance.now() - startedAt),
  });
  if (typeof answer === 'string') {
    response.end(answer);
  } else {
    respondJson(response, status, answer);
  }
}

function use(slack: Slack, team: string, token: string, body: Json): { status: number; answer: Json } {
  try {
    if (!isJsonObject(body)) {
      throw new ApiError('invalid_payload');
    }
    const state = slack.workspaces.find(({ workspace }) => workspace.team.id === team);
    if (!state) {
      throw new ApiError('expired_url');
    }
    state.responseUrls.use(token, body);
    return { status: 200, answer: 'ok' };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    const expired = error.code === 'expired_url' || error.code === 'used_url';
    return { status: expired ? 404 : 400, answer: error.toAnswer() };
  }
}
