import type { App } from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../../../lib/log.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import type { Lifecycle } from './lifecycle.ts';

const id = z.string().min(1).max(64);

const bodySchema = z.object({
  team_id: id.nullish(),
  enterprise_id: id.nullish(),
  /** In seconds. */
  event_time: z.number(),
  authorizations: z.array(z.object({ is_enterprise_install: z.boolean().optional() })).optional(),
  event: z.object({ tokens: z.object({ bot: z.array(id).nullish() }).optional() }),
});

/** Slack: app_uninstalled, tokens_revoked. Bolt authorizes neither: the token is not accepted any more. */
export function handleRemovalEvents(
  app: App,
  { lifecycle, track, log }: { lifecycle: Lifecycle; track: (work: Promise<void>) => void; log: Log },
): void {
  async function end(kind: 'uninstalled' | 'revoked', body: unknown): Promise<void> {
    const event = bodySchema.safeParse(body).data;
    const isEnterpriseWide = event?.authorizations?.[0]?.is_enterprise_install === true;
    const ownerId = isEnterpriseWide ? event?.enterprise_id : (event?.team_id ?? event?.enterprise_id);
    if (event === undefined || !ownerId) {
      log.warn({ kind }, 'an event does not say which installation has ended');
      return;
    }
    const botUserIds = kind === 'revoked' ? (event.event.tokens?.bot ?? []) : undefined;
    const at = new Date(event.event_time * 1000);
    try {
      await withOrigin({ surface: 'slack' }, () => lifecycle.end({ kind, ownerId, at, botUserIds }));
    } catch (error) {
      log.error({ err: error, owner: ownerId, kind }, 'a removed installation could not be deleted yet');
    }
  }

  app.event('app_uninstalled', async ({ body }) => track(end('uninstalled', body)));
  app.event('tokens_revoked', async ({ body }) => track(end('revoked', body)));
}
