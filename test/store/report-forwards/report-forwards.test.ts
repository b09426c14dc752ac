import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readPhoneNumber } from '../../../src/domain/phone/read-number.ts';
import { maxWaiting } from '../../../src/store/report-forwards/add-forwards.ts';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
