import type { Json } from './json.ts';

/** One request between Slack, the app and the provider, with its response. */
export interface LoggedRequest {
  id: string;
  at: string;
  from: 'slack' | 'app' | 'provider';
  to: 'slack' | 'app' | 'provider';
  /** For example `POST /slack/events`, `views.open`, `POST /api/sms/send`. */
  what: string;
  /** Of a call of the app to Slack: the id of the workspace or enterprise whose token or response_url it carries. */
  place?: string;
  request: Json;
  status: number | string;
  answer: Json;
  milliseconds: number;
}
