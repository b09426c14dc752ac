import { isDeepStrictEqual } from 'node:util';
import type { AuditService } from '../audit/audit-service.ts';
import type { Workspaces } from './workspaces.ts';

/** The settings whose values are in the audit. Of others it only has that they were changed. */
const shownSettings = new Set([
  'country',
  'route',
  'senderId',
  'esimPurchases',
  'way',
  'length',
  'minutes',
  'attempts',
  'characters',
  'emailConfigurationId',
  'off',
]);

/** Records the changes of a workspace's connection and defaults. Of a key, the audit has the last four characters. */
export function auditWorkspaces(
  workspaces: Workspaces,
  { record }: Pick<AuditService, 'record'>,
): Workspaces {
  async function recordChange(workspaceId: string, subject: string, before: object, after: object) {
    const changes = changesBetween({ ...before }, { ...after });
    if (Object.keys(changes).length > 0) {
      await record({ workspaceId, action: 'settings.change', subject, outcome: 'done', details: changes });
    }
  }

  return {
    ...workspaces,

    async connect(workspaceId, key, by) {
      const before = await workspaces.connection(workspaceId);
      const result = await workspaces.connect(workspaceId, key, by);
      await record({
        workspaceId,
        userId: by,
        action: before === undefined ? 'connection.connect' : 'connection.replace',
        outcome: result.kind === 'connected' ? 'done' : 'failed',
        details: {
          ...(before !== undefined && { before: `…${before.lastFour}` }),
          ...(result.kind === 'connected' && { key: `…${result.connection.lastFour}` }),
        },
      });
      return result;
    },

    async disconnect(workspaceId) {
      const before = await workspaces.connection(workspaceId);
      await workspaces.disconnect(workspaceId);
      const details = before && { key: `…${before.lastFour}` };
      await record({ workspaceId, action: 'connection.disconnect', outcome: 'done', details });
    },

    async saveDefaults(workspaceId, defaults) {
      const before = await workspaces.defaults(workspaceId);
      await workspaces.saveDefaults(workspaceId, defaults);
      await recordChange(workspaceId, 'defaults', before, defaults);
    },

    async saveCodeDefaults(workspaceId, changed) {
      const before = await workspaces.codeDefaults(workspaceId);
      await workspaces.saveCodeDefaults(workspaceId, changed);
      await recordChange(workspaceId, 'one-time codes', before, changed);
    },

    async saveRulesOff(workspaceId, off) {
      const before = await workspaces.rulesOff(workspaceId);
      await workspaces.saveRulesOff(workspaceId, off);
      await recordChange(workspaceId, 'delivery checks', { off: before.join(', ') }, { off: off.join(', ') });
    },
  };
}

/** Returns each setting that has another value, with the value before and after. */
function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, [string, string] | 'changed'> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(
    changed.map((name) => [
      name,
      shownSettings.has(name) ? [String(before[name] ?? ''), String(after[name] ?? '')] : 'changed',
    ]),
  );
}
