import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../lib/json.ts';
import { isJsonObject, parseJsonText } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import type { SlackRequestLog } from '../request-log.ts';
import type { SlackState } from '../slack.ts';
import { readRequestBody, respondJson } from './messages.ts';

/** Handles a `POST` to a response_url. Answers `ok`, or an error with its status. */
export async function handleResponseUrl(
  slack: SlackState,
  requestLog: SlackRequestLog,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAt = performance.now();
  const body = parseJsonText((await readRequestBody(request)).toString('utf8')) ?? null;
  const { status, answer } = use(slack, token, body);
  requestLog.record({
    at: slack.workspace.now().toISOString(),
    from: 'app',
    to: 'slack',
    what: 'response_url',
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

function use({ responseUrls }: SlackState, token: string, body: Json): { status: number; answer: Json } {
  try {
    if (!isJsonObject(body)) {
      throw new ApiError('invalid_payload');
    }
    responseUrls.use(token, body);
    return { status: 200, answer: 'ok' };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    const expired = error.code === 'expired_url' || error.code === 'used_url';
    return { status: expired ? 404 : 400, answer: error.toAnswer() };
  }
}
