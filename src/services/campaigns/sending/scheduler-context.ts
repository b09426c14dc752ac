import type { Standing } from '../../../domain/access/decision.ts';
import type { Time } from '../../../lib/time/clock.ts';
import type { Timers } from '../../../lib/time/timers.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign, ChunkEnding } from '../../../store/campaigns/campaigns.ts';
import type { Instances } from '../../../store/instances/instances.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { LimitCampaigns } from '../limit-campaigns.ts';
import type { CampaignLimits } from './workspace-workers.ts';

export interface CampaignSchedulerContext {
  campaigns: CampaignRepository;
  instances: Pick<Instances, 'isAlone' | 'living' | 'onDeath' | 'announceStop'>;
  workspaces: Workspaces;
  limiter: LimitCampaigns;
  limits: CampaignLimits;
  /** Returns whether a campaign's creator may still start campaigns: `unknown` where that is not known yet. */
  standingOf: (campaign: Campaign) => Promise<Standing>;
  time: Time;
  timers: Timers;
  /** Called with the campaign at each change of its state or counts. */
  onChange: (campaign: Campaign) => void;
  /** Called with the state in which each chunk ended, and its recipients. */
  onChunkEnded: (state: ChunkEnding['state'], recipients: number) => void;
  report: (error: unknown) => void;
}
