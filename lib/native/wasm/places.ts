/** Jumps to records: `PlacesBinding` in binding-places.ts. */
import type { ReaderHandle } from '../binding';
import type { PlacesBinding, PlacesHandle } from '../binding-places';
import { Handles, type Held } from './handles';
import type { Instance } from './instance';
import type { HeldReader } from './readers';
import { Report } from './report';

interface HeldPlaces extends Held {
  /** A job advances the scan. */
  busy: boolean;
}

export function placesBinding(instance: Instance, readers: Handles<HeldReader, ReaderHandle>): PlacesBinding {
  const { exports } = instance;
  const places = new Handles<HeldPlaces, PlacesHandle>(instance, 'tfr_places_free');
  return {
    placesOpen(path, compression, verify, limit) {
      const pointer = instance.withText(path, (at, size) =>
        exports.tfr_places_open(at, size, compression, verify, limit),
      );
      return places.new({ pointer, busy: false });
    },

    placesAdvance(handle, milliseconds) {
      const held = places.of(handle);
      if (held.busy) throw new Error('tfrecord: the scan is at work');
      const job = exports.tfr_places_advance(held.pointer, milliseconds);
      held.busy = true;
      return instance.jobs.begin(job, handle, (result) => {
        held.busy = false;
        const report = new Report(instance, result);
        return {
          records: report.number(),
          compressedBytes: report.number(),
          totalBytes: report.number(),
          compression: report.compression(),
          complete: report.flag(),
          halt: report.fault(),
          heldBytes: report.number(),
          faults: report.faults(),
        };
      });
    },

    placesReader(handle, first, last) {
      const report = new Report(instance, exports.tfr_places_reader(places.of(handle).pointer, first, last));
      const pointer = report.number();
      if (pointer === 0) return undefined;
      return { reader: readers.new({ pointer, fed: false }), bytes: report.number() };
    },

    placesClose(handle) {
      const job = exports.tfr_places_close(places.of(handle).pointer);
      return instance.jobs.begin(job, handle, () => undefined);
    },
  };
}
