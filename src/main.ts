/**
 * Starts the page: styles first, so that nothing is painted without them, then the app. Not inside a frame, where a
 * host that sends no headers cannot forbid that another site shows the page and lays things over its buttons.
 */
import { mount } from 'svelte';
import './ui/base/styles/theme.css';
import './ui/base/styles/base.css';
import './ui/base/styles/controls.css';
import './ui/base/styles/layout.css';
import './ui/base/styles/print.css';
import App from './ui/app/App.svelte';
import Framed from './ui/app/Framed.svelte';

mount(window.top === window ? App : Framed, { target: document.getElementById('app')! });
