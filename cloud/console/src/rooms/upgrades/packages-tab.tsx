import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answered } from '../../calls/api.ts';
import { can, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FinalDialog } from '../../ui/final-dialog.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { COMMON } from '../../words/common.ts';
import { AddPackageDialog } from './add-package-dialog.tsx';
import { sizeText } from './package-size.ts';
import { type EdgePackage, PACKAGE_QUERIES, packageApi, usePackages } from './upgrade-api.ts';
import { callerText, WORDS } from './upgrade-words.ts';

/** The first characters of a checksum, which are enough to distinguish two of them. */
const SUM_SIGNS = 12;

/** The packages that sites can be upgraded to. */
export function PackagesTab() {
  const mayAdd = can(useSession(), 'new-package');
  const query = usePackages();
  const timeZone = useTimeZone();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<EdgePackage | null>(null);
  return (
    <>
      {mayAdd && (
        <div>
          <Button onPress={() => setAdding(true)}>
            <Plus size={14} aria-hidden="true" /> {WORDS.add}
          </Button>
        </div>
      )}
      <QueryView query={query}>
        {(packages) =>
          packages.length === 0 ? (
            <Empty title={WORDS.noPackages}>
              <p>{WORDS.noPackagesHint}</p>
            </Empty>
          ) : (
            <DataTable
              label={WORDS.tabs.packages}
              rows={packages}
              idOf={({ id }) => id}
              columns={[
                { id: 'version', title: WORDS.version, cell: ({ version }) => version },
                { id: 'architecture', title: WORDS.architecture, cell: ({ architecture }) => architecture },
                { id: 'size', title: WORDS.size, isNumber: true, cell: ({ bytes }) => sizeText(bytes) },
                { id: 'sha256', title: WORDS.sha256, cell: (one) => <Sum edgePackage={one} /> },
                {
                  id: 'added',
                  title: WORDS.addedAt,
                  cell: ({ addedAt }) => <Moment at={addedAt} timeZone={timeZone} />,
                },
                {
                  id: 'by',
                  title: WORDS.by,
                  isWide: true,
                  cell: ({ by, byName }) => callerText(by, byName),
                },
                {
                  id: 'acts',
                  title: COMMON.actions,
                  cell: (one) =>
                    one.actions.includes('delete') && (
                      <Button
                        aria-label={WORDS.deletePackage({
                          version: one.version,
                          architecture: one.architecture,
                        })}
                        onPress={() => setRemoved(one)}
                      >
                        {COMMON.delete}
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </QueryView>
      {isAdding && <AddPackageDialog onClose={() => setAdding(false)} />}
      {removed && <DeleteDialog edgePackage={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function Sum({ edgePackage: { version, architecture, sha256 } }: { edgePackage: EdgePackage }) {
  return (
    <span className="sum">
      <code title={sha256}>{sha256.slice(0, SUM_SIGNS)}…</code>
      <CopyButton label={WORDS.copySum({ version, architecture })} value={sha256} />
    </span>
  );
}

function DeleteDialog({
  edgePackage: { id, version, architecture },
  onClose,
}: {
  edgePackage: EdgePackage;
  onClose: () => void;
}) {
  const title = WORDS.deletePackage({ version, architecture });
  return (
    <FinalDialog
      title={title}
      submit={title}
      send={() => answered(packageApi['edge-packages'][':id'].$delete({ param: { id } }))}
      invalidates={PACKAGE_QUERIES}
      done={COMMON.deleted}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{WORDS.deleteHint}</p>
      <p>{WORDS.deleteInUse}</p>
    </FinalDialog>
  );
}
