import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { mistakeLines } from '@hlid/protocol/base/mistakes/mistake-words';
import {
  isPlaceholder,
  PLACEHOLDER_LEFT,
  placeholdersIn,
  readYaml,
} from '@hlid/protocol/command-line/read-yaml';
import { z } from 'zod';
import { LOG_LEVELS } from './log.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How a program finds its YAML file. */
export interface ConfigurationFile {
  /** The environment variable that names the file. */
  variable: string;
  /** The file's name in the data folder, where the variable names none. */
  name: string;
  /** The complete example in this repository. */
  example: string;
}

/** A port in an environment variable. */
export const PortTextSchema = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'a port: 0 (any free one) to 65535')
  .transform(Number);

export const LogLevelSchema = z.enum(LOG_LEVELS);

/** The folder in which the program keeps its data. */
export function dataDirOf(environment: Environment): string {
  return resolve(environment['HLID_DATA_DIR'] || './data');
}

/** The path of the configuration file, whether it exists or not. */
export function configPath(environment: Environment, { variable, name }: ConfigurationFile): string {
  return resolve(environment[variable] || join(dataDirOf(environment), name));
}

/** Whether a file still contains the secret of the example that a package installs, before it was edited. */
export function isExample(path: string): boolean {
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  return isPlaceholder(text) && placeholdersIn(text).length > 0;
}

/**
 * Reads environment variables and the YAML file. An empty variable counts as one that is not set
 * (`HLID_EDGE_PORT= npm run edge`). Throws Fault 'config-invalid' that names every mistake at once, each with
 * its key and line.
 *
 * @param options.fileRequired whether a missing file is a mistake even if the environment does not name it
 * @param options.secretVariables variables in which an example's secret is a mistake
 */
export function readConfiguration<Variables extends z.ZodType, File extends z.ZodType>(
  environment: Environment,
  file: ConfigurationFile,
  options: {
    variablesSchema: Variables;
    fileSchema: File;
    fileRequired: boolean;
    secretVariables?: readonly string[];
  },
): { variables: z.output<Variables>; file: z.output<File>; path: string; text: string } {
  const { variablesSchema, fileSchema, fileRequired, secretVariables = [] } = options;
  const path = configPath(environment, file);
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const variables = variablesSchema.safeParse(given);
  const mistakes = variables.success ? [] : mistakeLines(variablesSchema, given, variables.error);
  const text = readText(path, file, fileRequired || given[file.variable] !== undefined);
  const content = readYaml(text, fileSchema);
  if (!content.ok) mistakes.push(...content.mistakes);
  mistakes.push(...placeholdersIn(text));
  for (const name of secretVariables) {
    if (isPlaceholder(given[name] ?? '')) mistakes.push(`${name}: ${PLACEHOLDER_LEFT}`);
  }
  if (!variables.success || !content.ok || mistakes.length > 0) throw invalid(path, mistakes);
  return { variables: variables.data, file: content.value, path, text };
}

/** The text of a configuration file; empty for a missing one that is not required. Throws Fault 'config-invalid'. */
export function readText(path: string, { variable, example }: ConfigurationFile, required: boolean): string {
  if (!existsSync(path)) {
    if (!required) return '';
    const advice = `write it (${example} is an example), or name yours in ${variable}`;
    throw invalid(path, [`there is no such file: ${advice}`]);
  }
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(path, [`the file cannot be read: ${messageOf(error)}`]);
  }
}

function invalid(path: string, mistakes: readonly string[]): Fault {
  const lines = mistakes.map((mistake) => `  ${mistake}`).join('\n');
  return new Fault('config-invalid', `The configuration ${path} is not right:\n${lines}`, {
    details: { path, mistakes },
  });
}
