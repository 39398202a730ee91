import { Body, Controller, Get, HttpException, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Gatehouse } from 'gatehouse-client';
import { CheckedForm, type SignupForm } from './checked-form.js';
import { Pages } from './pages.js';

@Controller()
@UseFilters(Pages)
export class SignupController {
  constructor(@Inject(Gatehouse) private readonly gatehouse: Gatehouse) {}

  @Get()
  form() {
    return Pages.form();
  }

  @Post('signup')
  // Your own checks come first: a form that the pipe refuses is not assessed.
  async signUp(
    @Body(CheckedForm) form: SignupForm,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { decision, assessment } = await this.gatehouse.protectSignup(request, {
      email: form.email,
      // With a key for each form, no two visitors share a challenge.
      idempotencyKey: crypto.randomUUID(),
    });
    if (decision === 'invalid') throw new HttpException('Please check your email address.', 400);
    if (decision === 'block') throw new HttpException({ reference: assessment?.request_id }, 403);
    if (decision === 'challenge') {
      // The visitor's browser does some work and comes back to /proved. Keep the form meanwhile, under the id in `state`.
      const { page, setCookie } = await this.gatehouse.beginProof({
        requestId: assessment?.request_id,
        returnUrl: `${request.protocol}://${request.get('host')}/proved`,
        state: crypto.randomUUID(),
      });
      response.status(303).set({ 'set-cookie': setCookie, location: page });
      return '';
    }
    // Create the account here.
    return Pages.welcome();
  }

  @Get('proved')
  async proved(@Req() request: Request) {
    const proof = await this.gatehouse.endProof(request);
    if (proof === null) throw new HttpException({}, 403);
    // Create the account here, from the form that you kept under proof.state.
    return Pages.welcome();
  }
}
