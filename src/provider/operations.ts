/** The operations of the provider, all 26 of the description, by resource and verb. */
export type OperationName =
  | 'messages.send'
  | 'messages.sendChatOtp'
  | 'messages.sendBulk'
  | 'tokens.send'
  | 'tokens.generate'
  | 'tokens.call'
  | 'tokens.email'
  | 'insight.query'
  | 'insight.checkDnd'
  | 'senderIds.list'
  | 'senderIds.request'
  | 'phonebooks.contacts'
  | 'phonebooks.addContact'
  | 'phonebooks.upload'
  | 'phonebooks.deleteContact'
  | 'esims.authenticate'
  | 'esims.plans'
  | 'esims.plansDeprecated'
  | 'esims.create'
  | 'esims.purchase'
  | 'esims.qrCode'
  | 'esims.profile'
  | 'esims.usage'
  | 'esims.planStatus'
  | 'esims.list'
  | 'esims.countries';

/** Why a call did not end as accepted. A closed list, so that a `switch` over it can be complete. */
export type Reason =
  // Never left: our side of the line.
  | 'input' // a field breaks a rule; see `faults`
  | 'not_configured' // the dialect lacks the setting that this needs
  | 'stopping' // the client is closed
  | 'unreachable' // no connection: refused, unknown host, no route, connect timeout
  | 'untrusted' // no trusted TLS connection
  // Left, and no clear answer came (`timed_out` and `cancelled` may also strike before it left).
  | 'timed_out'
  | 'cancelled' // the caller's signal
  | 'cut_off' // the connection broke
  | 'empty_answer'
  | 'unreadable_answer' // not what the description shows: HTML, broken JSON, a field missing, too large
  | 'server_error' // 5xx, 408
  // The provider said no.
  | 'redirected' // 3xx, never followed: the key would travel to another host
  | 'bad_key'
  | 'no_route'
  | 'country_inactive'
  | 'sender_id_unknown'
  | 'balance_too_low'
  | 'rate_limited'
  | 'not_found'
  | 'invalid_request'
  | 'refused';
