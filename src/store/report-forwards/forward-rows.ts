import { z } from 'zod';
import type { AdditionalData, Encryption } from '../encryption/cipher.ts';
import type { EncryptedColumn } from '../encryption/encrypted-column.ts';

export interface ReportForwardTables {
  /** Where a workspace's delivery reports are passed on to. Times are milliseconds since 1970. */
  report_forwarding: {
    workspace_id: string;
    /** Encrypted: it may have a secret in it. */
    address: string;
    set_by: string;
    set_at: number;
    /** How many rows of `report_forward` it has, and their `bytes`. */
    waiting: number;
    bytes: number;
    /** How often in a row the address could not be reached. */
    failures: number;
    /** 0 where it is not paused. */
    paused_until: number;
    /** Of the instance that delivers. */
    lease: string | null;
    lease_until: number | null;
    delivered_at: number | null;
    failed_at: number | null;
    failure: string | null;
    dropped: number;
    dropped_at: number | null;
  };
  /** A request that is still to be passed on. */
  report_forward: {
    workspace_id: string;
    /** In the order of arrival, about. */
    id: string;
    /** Encrypted. */
    request: string;
    /** The length of the encrypted request. */
    bytes: number;
    received_at: number;
    attempts: number;
    due_at: number;
  };
}

/** A request as it came: the body byte for byte, and the headers that say what it is and who signed it. */
export interface ForwardedRequest {
  body: Uint8Array;
  signature: string;
  contentType: string | undefined;
}

const requestSchema = z.tuple([z.string(), z.string(), z.string().nullable()]);

function requestData(workspaceId: string, id: string): AdditionalData {
  return ['report_forward', workspaceId, id];
}

function addressData(workspaceId: string): AdditionalData {
  return ['report_forwarding', workspaceId];
}

/** As Latin-1, in which each byte is a character. */
export function encryptRequest(
  encryption: Encryption,
  { workspaceId, id }: { workspaceId: string; id: string },
  { body, signature, contentType }: ForwardedRequest,
): string {
  const text = JSON.stringify([Buffer.from(body).toString('latin1'), signature, contentType ?? null]);
  return encryption.encrypt(text, requestData(workspaceId, id));
}

export function decryptRequest(
  encryption: Encryption,
  { workspaceId, id }: { workspaceId: string; id: string },
  encrypted: string,
): ForwardedRequest {
  return parseRequest(encryption.decrypt(encrypted, requestData(workspaceId, id)));
}

/** Reads what was encrypted. */
export function parseRequest(text: string): ForwardedRequest {
  const [body, signature, contentType] = requestSchema.parse(JSON.parse(text));
  return { body: Buffer.from(body, 'latin1'), signature, contentType: contentType ?? undefined };
}

export function encryptAddress(encryption: Encryption, workspaceId: string, address: string): string {
  return encryption.encrypt(address, addressData(workspaceId));
}

export function decryptAddress(encryption: Encryption, workspaceId: string, encrypted: string): string {
  return encryption.decrypt(encrypted, addressData(workspaceId));
}

export const forwardAddressColumn: EncryptedColumn = {
  table: 'report_forwarding',
  column: 'address',
  key: ['workspace_id'],
  bound: [],
  additionalData: ([workspaceId]) => addressData(String(workspaceId)),
  area: () => 'address that reports are passed on to',
};

export const forwardRequestColumn: EncryptedColumn = {
  table: 'report_forward',
  column: 'request',
  key: ['workspace_id', 'id'],
  bound: [],
  additionalData: ([workspaceId, id]) => requestData(String(workspaceId), String(id)),
  area: () => 'reports that wait to be passed on',
};
