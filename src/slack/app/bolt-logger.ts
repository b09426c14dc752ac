import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../lib/log.ts';
import { redact } from '../../lib/redact.ts';

/**
 * A logger for Slack's libraries, which log whole requests at their debug level, message texts included: it writes
 * warnings and errors only, at any level of the program's own log.
 */
export function createBoltLogger(log: Log): Logger {
  const write =
    (level: 'warn' | 'error') =>
    (...parts: unknown[]) => {
      const errors = parts.filter((part) => part instanceof Error);
      const text = parts.filter((part) => typeof part === 'string').join(' ');
      log[level]({ from: 'slack-sdk', ...(errors[0] === undefined ? {} : { err: errors[0] }) }, redact(text));
    };
  return {
    debug: () => {},
    info: () => {},
    warn: write('warn'),
    error: write('error'),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  };
}
