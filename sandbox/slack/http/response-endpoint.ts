import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json } from '../../lib/json.ts';
import { isJsonObject, parseJsonText } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import type { SlackRequestLog } from '../request-log.ts';
import type { SlackState } from '../slack.ts';
import { readRequestBody, respondJson } from './messages.ts';

/** Answers a `POST` to a response_url: the text `ok`, or a refusal with its status. */
export async function handleResponseUrl(
  slack: SlackState,
  requestLog: SlackRequestLog,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const began = performance.now();
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
    milliseconds: Math.round(performance.now() - began),
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
    const gone = error.code === 'expired_url' || error.code === 'used_url';
    return { status: gone ? 404 : 400, answer: error.toAnswer() };
  }
}
