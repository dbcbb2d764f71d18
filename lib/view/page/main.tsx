import { render } from 'preact';

import { Client } from '../protocol';
import { App } from './app';
import { connect } from './connect';
import './styles/base.css';
import './styles/frame.css';
import './styles/records.css';
import './styles/record.css';
import './styles/figures.css';
import './styles/curves.css';
import 'uplot/dist/uPlot.min.css';

const shell = window.tfrecordViewer;

void connect(shell).then((port) => {
  render(<App client={new Client(port)} shell={shell} />, document.getElementById('app')!);
});
