import { newSecret } from './new-secret.ts';
import { logIn, type Operator } from './operator.ts';
import { type Program, startProgram } from './programs.ts';

export interface CloudPlan {
  folder: string;
  apiKey: string;
  operator: { id: string; password: string };
  /** 0 or nothing: a free one. */
  ports?: { http?: number; mqtt?: number };
  env?: Record<string, string>;
  /** The start's time limit, for a cloud with very much data. */
  readyWithinMs?: number;
  logFile?: string;
}

export interface CloudProgram extends Program {
  httpUrl(): string;
  mqttUrl(): string;
}

/** The cloud as a child process, ready. */
export async function startCloud(plan: CloudPlan): Promise<CloudProgram> {
  const program = await startProgram({
    name: 'cloud',
    env: {
      HLID_DATA_DIR: plan.folder,
      HLID_CLOUD_PORT: String(plan.ports?.http ?? 0),
      HLID_MQTT_PORT: String(plan.ports?.mqtt ?? 0),
      HLID_OPERATOR_ID: plan.operator.id,
      HLID_OPERATOR_PASSWORD: plan.operator.password,
      HLID_API_KEY: plan.apiKey,
      ...plan.env,
    },
    ...(plan.logFile !== undefined && { logFile: plan.logFile }),
    ...(plan.readyWithinMs !== undefined && { readyWithinMs: plan.readyWithinMs }),
    readyEvent: 'cloud.ready',
    keepPorts: (ready) => ({
      HLID_CLOUD_PORT: new URL(String(ready['httpUrl'])).port,
      HLID_MQTT_PORT: new URL(String(ready['mqttUrl'])).port,
    }),
  });
  return {
    ...program,
    httpUrl: () => String(program.ready()['httpUrl']),
    mqttUrl: () => String(program.ready()['mqttUrl']),
  };
}

/** A cloud with new secrets, and an operator who is logged in to it. */
export interface OperatedCloud {
  readonly cloud: CloudProgram;
  readonly operator: Operator;
  readonly apiKey: string;
  readonly operatorLogin: { id: string; password: string };
}

/** The cloud as a child process, and an operator who is logged in. */
export async function startOperatedCloud(plan: Pick<CloudPlan, 'folder' | 'env'>): Promise<OperatedCloud> {
  const apiKey = newSecret();
  const operatorLogin = { id: 'operator@example.is', password: newSecret() };
  const cloud = await startCloud({ ...plan, apiKey, operator: operatorLogin });
  try {
    const operator = await logIn({ cloudUrl: cloud.httpUrl(), apiKey, ...operatorLogin });
    return { cloud, operator, apiKey, operatorLogin };
  } catch (error) {
    await cloud.stop();
    throw error;
  }
}
