import { type Logger, LogLevel } from '@slack/bolt';
import type { Log } from '../../lib/log.ts';
import { redact } from '../../lib/redact.ts';

/**
 * Slack's libraries write whole requests at their debug level, message texts included: they get a logger that takes
 * warnings and errors only, whatever the program's own level is.
 */
export function createBoltLogger(log: Log): Logger {
  const written =
    (level: 'warn' | 'error') =>
    (...parts: unknown[]) => {
      const errors = parts.filter((part) => part instanceof Error);
      const text = parts.filter((part) => typeof part === 'string').join(' ');
      log[level]({ from: 'slack-sdk', ...(errors[0] === undefined ? {} : { err: errors[0] }) }, redact(text));
    };
  return {
    debug: () => {},
    info: () => {},
    warn: written('warn'),
    error: written('error'),
    setLevel: () => {},
    getLevel: () => LogLevel.WARN,
    setName: () => {},
  };
}
