Rails.application.routes.draw do
  get "/signup", to: "registrations#new"
  post "/signup", to: "registrations#create"
  get "/welcome", to: "registrations#welcome"
end
