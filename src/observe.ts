import type { Log } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import { currentOrigin } from './lib/request-origin.ts';
import { operationInfo } from './provider/operations.ts';
import type { OnCall } from './provider/request/request-sender.ts';
import type { KeyState } from './store/installation/key-rotation.ts';
import type { Store } from './store/store.ts';
import { version } from './version.ts';

/** Counts and logs calls to the provider: at `info` if they send or change something for a person, otherwise at `debug`. */
export function observeProvider(metrics: Metrics, log: Log): OnCall {
  return ({ operation, outcome, reason, took }) => {
    metrics.providerCall({ operation, outcome, took });
    const isRare = operationInfo[operation].effect !== 'read' && currentOrigin().surface !== 'background';
    log[isRare ? 'info' : 'debug'](
      { operation, outcome, reason, ms: Math.round(took) },
      'the provider was called',
    );
  };
}

/** Adds the figures of the installation, and what this instance is. */
export function addFigures(
  metrics: Metrics,
  store: Pick<Store, 'figures' | 'connections' | 'keyRotation'>,
): void {
  metrics.gauges({ info: { help: 'Always 1; the label is the version', label: 'version' } }, () => ({
    info: { [version]: 1 },
  }));
  const { connections } = store;
  if (connections !== undefined) {
    metrics.gauges(
      {
        database_connections: { help: 'Connections of this instance to PostgreSQL', label: 'state' },
        database_waiting: { help: 'Statements of this instance that are waiting for a connection' },
      },
      () => {
        const { busy, idle, waiting } = connections();
        return { database_connections: { busy, idle }, database_waiting: waiting };
      },
    );
  }
  metrics.gauges(
    {
      campaigns: { help: 'Campaigns that haven’t ended, by state, across all instances', label: 'state' },
      campaign_backlog_recipients: {
        help: 'Recipients of running campaigns without an outcome, across all instances',
      },
      outbox_notices: { help: 'Notices that aren’t delivered yet, across all instances' },
      outbox_retried_notices: {
        help: 'Notices that failed at least once and aren’t delivered yet, across all instances',
      },
    },
    async () => {
      const { campaigns, backlog, notices } = await store.figures();
      return {
        campaigns,
        campaign_backlog_recipients: backlog,
        outbox_notices: notices.all,
        outbox_retried_notices: notices.retried,
      };
    },
  );
  metrics.gauges(
    {
      encryption_keys: { help: 'Always 1; the label is what the old keys are needed for', label: 'state' },
      encryption_values_left: {
        help: 'Stored values that are encrypted with an old key, across all instances',
      },
    },
    async () => {
      const state = await store.keyRotation.state();
      return { encryption_keys: { [state.name]: 1 }, encryption_values_left: valuesLeft(state) };
    },
  );
}

/** NaN while it is not known. */
function valuesLeft(state: KeyState): number {
  switch (state.name) {
    case 'current':
    case 'removable':
      return 0;
    case 'unreadable':
      return state.values;
    case 'reencrypting':
      return state.left ?? Number.NaN;
    case 'superseded':
    case 'waiting':
      return Number.NaN;
  }
}
