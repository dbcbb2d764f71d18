import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { Folder } from '../records/record-files';
import { GOOGLE_PROTOS } from './google-protos';
import { PROTOS } from './protos';

/** A folder with the files of {@link PROTOS}. */
export class ProtoFolder extends Folder {
  constructor() {
    super();
    for (const [name, text] of Object.entries(PROTOS)) this.putProto(name, text);
  }

  /** Writes a file, and the folders that its name needs. */
  putProto(name: string, text: string | Uint8Array): string {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    return this.put(name, text);
  }

  /**
   * Has protoc write the set of descriptors of `all.proto`, with its imports unless `alone`. Returns its path; undefined
   * without protoc.
   */
  descriptorSet(alone = false): string | undefined {
    for (const [name, text] of Object.entries(GOOGLE_PROTOS)) this.putProto(`include/${name}`, text);
    const folders = ['-I', this.path, '-I', this.at('include')];
    const files = alone ? Object.keys(PROTOS) : ['--include_imports', 'all.proto'];
    try {
      execFileSync('protoc', [...folders, '-o', this.at('all.pb'), ...files], {
        stdio: 'ignore',
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    return this.at('all.pb');
  }
}
